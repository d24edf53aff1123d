declare module '@20minutes/s3rver' {
  interface S3rverOptions {
    directory: string;
    port: number;
    address: string;
    silent: boolean;
    configureBuckets: { name: string; configs: string[] }[];
  }

  class S3rver {
    constructor(options: S3rverOptions);
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }

  export = S3rver;
}

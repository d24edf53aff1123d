import { setTimeout as sleep } from 'node:timers/promises';
import { connectRepository } from '../../bench/editor-server.ts';
import { type Fault, trialsOf } from './fault.ts';
import { buildFaultRepository, prepareProgram } from './program.ts';

/** R4: kills the server while it answers; a question is stored with its whole answer or not at all. */
export const chatFault: Fault = {
  id: 'R4',
  name: '`kill -9` during chat reply',
  target: '0 duplicate questions, 0 partial answers',
  async run(options) {
    const program = await prepareProgram();
    let losses = 0;
    const trials = trialsOf(options, 100);
    try {
      // A question of its own in every trial, each with an answer.
      const path = await buildFaultRepository(program, trials);
      await program.start();
      const ada = await program.signUp();
      const project = await connectRepository(ada, 'chat', path);
      const messages = `/chat/projects/${project}/messages`;
      for (let trial = 0; trial < trials; trial++) {
        const isNamed = trial % 2 === 0;
        await program.stop();
        await program.start(isNamed ? { FAILPOINT: 'answer-composed' } : {});
        const message = `where is value${trial} defined?`;
        const sent = ada.call('POST', messages, { message });
        if (isNamed) await program.ended();
        else {
          await sleep(Math.random() * 200);
          await program.kill();
        }
        const { status } = await sent;
        await program.start();
        const { body } = await ada.call('GET', messages);
        const found = (body.messages as { role: string; content: string }[]).slice(-2);
        const questions = (body.messages as { content: string }[]).filter(
          ({ content }) => content === message,
        ).length;
        const isWhole =
          questions === 0 ||
          (found[0]?.content === message && found[1]?.role === 'assistant' && found[1].content !== '');
        if (questions > 1 || !isWhole || (status === 200 && questions === 0)) losses += 1;
        if (trial % 10 === 9) options.report(`R4: ${trial + 1} kills, ${losses} losses`);
      }
    } finally {
      await program.remove();
    }
    return {
      trials,
      losses,
      figures: 'every question has its whole answer, or neither is stored',
      isMet: losses === 0,
    };
  },
};

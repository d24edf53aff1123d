export { Section } from '../ui/section.tsx';

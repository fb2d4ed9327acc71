import { nvidiaProbe } from '../load/nvidia-profile';

export const probe = nvidiaProbe('genai-perf', 'GenAI-Perf');

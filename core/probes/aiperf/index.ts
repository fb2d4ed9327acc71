import { nvidiaProbe } from '../load/nvidia-profile';

export const probe = nvidiaProbe('aiperf', 'AIPerf');

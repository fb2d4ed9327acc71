import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-question-scale',
  title: 'What must scale is not answered',
  docs: { why: 'One service, a queue of independent jobs and a coordinated job fail differently and need different load tests.' },
  path: ['questions', 'scale', 'shape'],
  message: 'Answer how the work grows: one-gpu-service, independent-jobs, coordinated-multi-gpu or coordinated-multi-node (`questions.scale.shape`).',
});

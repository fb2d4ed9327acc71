import acceptanceCardSchema from './acceptance-card.schema.json';
import commonSchema from './common.schema.json';
import hardwareProfileSchema from './hardware-profile.schema.json';
import probesSchema from './probes.schema.json';
import workloadBriefSchema from './workload-brief.schema.json';

export { acceptanceCardSchema, commonSchema, hardwareProfileSchema, probesSchema, workloadBriefSchema };
export type * from './generated/types';

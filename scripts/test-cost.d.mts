export interface TestCost {
  readonly figure?: number;
  readonly seconds?: number;
  readonly unfit?: string | undefined;
}
type Reading = () => number | undefined;
type ReadText = (path: string) => string | undefined;

export declare function ownSeconds(readText?: ReadText): number | undefined;
export declare function machineSeconds(readText?: ReadText): number | undefined;
export declare function startCount(by?: {
  readonly own?: Reading;
  readonly machine?: Reading;
  readonly calibration?: () => number;
}): () => TestCost;
export declare function judgeTests(
  found: TestCost,
  limit: number | undefined,
): { readonly ok: boolean; readonly text: string };

export interface TestCost {
  readonly figure?: number;
  readonly seconds?: number;
  readonly unfit?: string | undefined;
}
type ReadText = (path: string) => string | undefined;

export declare function machineSeconds(readText?: ReadText): number | undefined;
export declare function startCount(by?: {
  readonly machine?: () => number | undefined;
  readonly calibration?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}): Promise<() => Promise<TestCost>>;
export declare function judgeTests(
  found: TestCost,
  limit: number | undefined,
): { readonly ok: boolean; readonly text: string };

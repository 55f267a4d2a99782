/** Opens when so many have passed. */
export function gate(count: number): { readonly opened: Promise<void>; pass(): void } {
  let left = count;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    opened,
    pass() {
      left -= 1;
      if (left === 0) open();
    },
  };
}

export const SAMPLES = {
  rust: 'use a::{b, c::*};\n/// ü\nimpl<T: D> E for F<T> { pub async fn g(&self, h: &str) -> Option<I> { self.j(h)?.k::<L>(); m!(n) } }\nfn {\n',
} as const;

#pragma once
#include <string>

namespace depot {
int round_up(double x);
namespace detail {
inline std::string label(const char *text) { return std::string(text); }
}  // namespace detail
}  // namespace depot

namespace std {
template <>
struct hash<int> {};
}  // namespace std

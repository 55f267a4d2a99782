#ifndef GEO_VECTOR_H
#define GEO_VECTOR_H
// A header of C++ by what is in it.
#include <cmath>

namespace geo {

template <typename T, int N = 2>
struct Vector {
  T at[N];

  static Vector zero() { return Vector{}; }
  T dot(const Vector &other) const;
  T length() const { return std::sqrt(dot(*this)); }
  Vector &operator+=(const Vector &other) {
    for (int n = 0; n < N; n++) at[n] += other.at[n];
    return *this;
  }
  template <typename U>
  Vector<U, N> as() const {
    return Vector<U, N>::zero();
  }
};

template <typename T, int N>
T Vector<T, N>::dot(const Vector &other) const {
  T sum = 0;
  for (int n = 0; n < N; n++) sum += at[n] * other.at[n];
  return sum;
}

using Point = Vector<double>;
typedef Vector<int, 3> Cell;

inline Point operator+(Point a, const Point &b) { return a += b; }
Point middle(const Point &a, const Point &b);

}  // namespace geo

#endif

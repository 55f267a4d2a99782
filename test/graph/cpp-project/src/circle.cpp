#include "depot/circle.hpp"

#include "helpers.hpp"

int depot::round_up(double x) { return static_cast<int>(x + 1); }

depot::Circle::Circle(double radius) : radius_(radius) {}

double depot::Circle::area() const { return round_up(radius_ * radius_ * 3); }

depot::Circle depot::Circle::unit() { return Circle(1); }

depot::Circle &depot::Circle::grow(double by) {
  radius_ += by;
  touch();
  std::swap(radius_, by);
  return *this;
}

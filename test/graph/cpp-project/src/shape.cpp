#include "depot/shape.hpp"

#include "helpers.hpp"

namespace depot {

namespace {
double half(double x) { return x / 2; }
}  // namespace

std::string Shape::name() const { return detail::label("shape"); }

void Shape::touch() { touched_ = round_up(half(touched_)); }

double total(const std::vector<Shape *> &shapes) {
  double sum = 0;
  for (auto *shape : shapes) sum += shape->area();
  return sum;
}

double total(const Shape &one, int times) { return one.scaled(times); }

}  // namespace depot

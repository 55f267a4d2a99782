#include "geo/shape.hpp"

#include "canvas.hpp"

namespace geo {
namespace {

constexpr double PI = 3.14;

double square(double x) { return x * x; }

template <typename T>
T clamp(T value, T most) {
  return value > most ? most : value;
}

}  // namespace

int Shape::count = detail::checked(0);

void Shape::Style::apply(Canvas &canvas) const {
  canvas.pen().colour(colour);
}

void Shape::draw(Canvas &canvas) const {
  draw(canvas, style_);
  if (watcher_) watcher_(*this);
}

void Shape::draw(Canvas &canvas, const Style &style) const {
  style.apply(canvas);
  canvas << name();
  canvas.line(at_, middle(at(), Point::zero()));
  count++;
}

Shape::Ptr Shape::make(const std::string &kind) {
  if (kind == "disc") return std::make_unique<Disc>(Point::zero(), 1);
  return nullptr;
}

Disc::Disc(Point at, double radius) : Shape(at), radius_(clamp(radius, 9.0)) {}

double Disc::area() const { return PI * square(radius_); }

std::string Disc::name() const { return Named::name() + Shape::name(); }

Point middle(const Point &a, const Point &b) {
  Point sum = a + b;
  return sum.as<double>();
}

}  // namespace geo

int geo::detail::checked(int n) { return n < 0 ? 0 : n; }

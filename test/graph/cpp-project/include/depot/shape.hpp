#pragma once
#include <string>
#include <vector>

namespace depot {

class Point;

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const;
  double scaled(double by) const { return area() * by; }

 protected:
  void touch();
  int touched_ = 0;
};

double total(const std::vector<Shape *> &shapes);
double total(const Shape &one, int times);

}  // namespace depot

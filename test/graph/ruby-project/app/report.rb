require 'rails'

class Report < ApplicationRecord
  def lines
    Depot::Item.new(1, 2).title
    Formatter.new.wide
    current_user
    unknown.rounded_up
    announce 'report'
    other.each { |x| x.size }
  end
end

def announce(text)
  puts text
end

announce Depot.open(3)

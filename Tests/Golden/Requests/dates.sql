-- Review.select { [strftime("%Y-%m", $0.day), count($0.id)] }
--     .group { strftime("%Y-%m", $0.day) }
SELECT STRFTIME('%Y-%m', "day"), COUNT("id") FROM "review" GROUP BY STRFTIME('%Y-%m', "day");

-- Review.filter { date($0.day, .month(1), .day(-1)) < "2024-06-15" }
SELECT * FROM "review" WHERE DATE("day", '1 months', '-1 days') < '2024-06-15';

-- Review.select {
--     [timeOfDay($0.day, .hour(5)), unixEpoch($0.day), date($0.day, .weekday(0))]
-- }
SELECT TIME("day", '5 hours'), UNIXEPOCH("day"), DATE("day", 'weekday 0') FROM "review";

-- Review.filter { date($0.day) > date(.now, .year(5)) }
SELECT * FROM "review" WHERE DATE("day") > DATE('now', '5 years');

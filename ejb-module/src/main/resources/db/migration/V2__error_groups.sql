-- The first hex digit of a fingerprint is the version of its rules, now 2 (ADR 138). The earlier ones
-- were hashes of 16 digits; those that happen to begin with 2 become 0, so that maintenance recomputes
-- them as well.
update dead_letter set fingerprint = 0
  where fingerprint between 2305843009213693952 and 3458764513820540927;

-- Rows that are left to recompute; mostly none. The queries repeat this condition.
create index dead_letter_outdated on dead_letter (topic, place)
  where fingerprint < 2305843009213693952 or fingerprint > 3458764513820540927;

-- Groups are counted by reason.
drop index dead_letter_group;
create index dead_letter_group on dead_letter (topic, fingerprint, reason, place);

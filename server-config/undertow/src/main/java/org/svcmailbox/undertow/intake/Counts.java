package org.svcmailbox.undertow.intake;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What is held now and what was refused or cut. The application finds it in the attribute {@value
 * #ATTRIBUTE} of its context, as plain types.
 */
final class Counts {
  static final String ATTRIBUTE = "org.svcmailbox.intake";

  final AtomicLong connections = new AtomicLong();
  final AtomicLong bodyBytes = new AtomicLong();
  final LongAdder refusedConnections = new LongAdder();
  final LongAdder refusedBodies = new LongAdder();
  final LongAdder lateBodies = new LongAdder();
  final LongAdder slowReaders = new LongAdder();

  Map<String, LongSupplier> suppliers() {
    return Map.of(
        "connections", connections::get,
        "body_bytes", bodyBytes::get,
        "rejected.max_conns", refusedConnections::sum,
        "rejected.body_bytes", refusedBodies::sum,
        "io_timeouts.read", lateBodies::sum,
        "io_timeouts.write", slowReaders::sum);
  }

  /** Adds {@code amount} to {@code gauge}, unless that makes more than {@code most}. */
  static boolean enter(AtomicLong gauge, long amount, long most) {
    long before = gauge.get();
    while (before + amount <= most) {
      if (gauge.compareAndSet(before, before + amount)) {
        return true;
      }
      before = gauge.get();
    }
    return false;
  }
}

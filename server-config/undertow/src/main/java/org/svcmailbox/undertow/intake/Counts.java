package org.svcmailbox.undertow.intake;

import io.undertow.servlet.api.ServletContainer;
import io.undertow.servlet.spec.ServletContextImpl;
import jakarta.servlet.ServletContext;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts of what is held, refused and cut, for all deployments of a server together: clients hold
 * the same listener whichever they ask. The application finds it in the attribute {@value
 * #ATTRIBUTE} of its context, as plain types.
 */
final class Counts {
  static final String ATTRIBUTE = "org.svcmailbox.intake";

  private static final Map<ServletContainer, Counts> OF_SERVERS = new WeakHashMap<>();

  final AtomicLong connections = new AtomicLong();
  final AtomicLong bodyBytes = new AtomicLong();
  final AtomicLong answerBytes = new AtomicLong();
  final AtomicLong waitingWriters = new AtomicLong();
  final LongAdder refusedConnections = new LongAdder();
  final LongAdder refusedBodies = new LongAdder();
  final LongAdder refusedAnswers = new LongAdder();
  final LongAdder lateBodies = new LongAdder();
  final LongAdder slowReaders = new LongAdder();
  final LongAdder idleConnections = new LongAdder();

  /** The counts of the server that a deployment is in. */
  static Counts ofServer(ServletContext context) {
    ServletContainer server = ((ServletContextImpl) context).getDeployment().getServletContainer();
    synchronized (OF_SERVERS) {
      return OF_SERVERS.computeIfAbsent(server, unknown -> new Counts());
    }
  }

  Map<String, LongSupplier> suppliers() {
    return Map.of(
        "connections", connections::get,
        "body_bytes", bodyBytes::get,
        "answer_bytes", answerBytes::get,
        "rejected.max_conns", refusedConnections::sum,
        "rejected.body_bytes", refusedBodies::sum,
        "rejected.answer_bytes", refusedAnswers::sum,
        "io_timeouts.read", lateBodies::sum,
        "io_timeouts.write", slowReaders::sum,
        "io_timeouts.idle", idleConnections::sum);
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

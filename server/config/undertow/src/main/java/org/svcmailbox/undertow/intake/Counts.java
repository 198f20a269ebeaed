package org.svcmailbox.undertow.intake;

import io.undertow.servlet.api.ServletContainer;
import io.undertow.servlet.spec.ServletContextImpl;
import jakarta.servlet.ServletContext;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.svcmailbox.undertow.framing.Refusals;

/**
 * Counts of what is held, refused and cut, for all deployments of a server together, because
 * clients hold the same listener whichever deployment they use. The application finds them in the
 * attribute {@value #ATTRIBUTE} of its context, with plain types.
 */
final class Counts {
  static final String ATTRIBUTE = "org.svcmailbox.intake";

  private static final Map<ServletContainer, Counts> OF_SERVERS = new WeakHashMap<>();

  final HeldAnswers held = new HeldAnswers();
  final AtomicLong connections = new AtomicLong();
  final AtomicLong bodyBytes = new AtomicLong();
  final BodyBudget bodies = new BodyBudget(BodyBudget.OF_OWNERS, bodyBytes);
  final AtomicLong answerBytes = new AtomicLong();
  final LentBuffer.Lender answers = new LentBuffer.Budget(answerBytes, HeldAnswer.BUDGET);
  final AtomicLong waitingWriters = new AtomicLong();
  final Addresses addresses = new Addresses();
  final LongAdder refusedAddresses = new LongAdder();
  final LongAdder refusedConnections = new LongAdder();
  final LongAdder refusedStreams = new LongAdder();
  final LongAdder refusedBodies = new LongAdder();
  final LongAdder cutAnswers = new LongAdder();
  final LongAdder lateBodies = new LongAdder();
  final LongAdder slowReaders = new LongAdder();
  final LongAdder idleConnections = new LongAdder();

  /** The counts of a deployment's server. */
  static Counts ofServer(ServletContext context) {
    ServletContainer server = ((ServletContextImpl) context).getDeployment().getServletContainer();
    synchronized (OF_SERVERS) {
      return OF_SERVERS.computeIfAbsent(server, unknown -> new Counts());
    }
  }

  Map<String, LongSupplier> suppliers() {
    return Map.ofEntries(
        Map.entry("connections", connections::get),
        Map.entry("body_bytes", bodyBytes::get),
        Map.entry("answer_bytes", answerBytes::get),
        Map.entry("capacity.answer_bytes", () -> HeldAnswer.BUDGET),
        Map.entry("rejected.max_conns", refusedConnections::sum),
        Map.entry("rejected.address_conns", refusedAddresses::sum),
        Map.entry("rejected.max_streams", refusedStreams::sum),
        Map.entry("rejected.framing", Refusals.FRAMING::sum),
        Map.entry("rejected.head", Refusals.HEAD_TOO_LARGE::sum),
        Map.entry("rejected.http2_flood", Refusals.HTTP2_FLOOD::sum),
        Map.entry("rejected.body_bytes", refusedBodies::sum),
        Map.entry("rejected.answer_bytes", cutAnswers::sum),
        Map.entry("io_timeouts.read", lateBodies::sum),
        Map.entry("io_timeouts.write", slowReaders::sum),
        Map.entry("io_timeouts.idle", idleConnections::sum));
  }

  /** Counts a refused connection, or a refused body that would have taken a place. */
  IntakeRefusal counted(IntakeRefusal refusal) {
    boolean isAddress = refusal == IntakeRefusal.ADDRESS_CONNS;
    (isAddress ? refusedAddresses : refusedConnections).increment();
    return refusal;
  }

  /** Adds {@code amount} to {@code gauge}, unless it then exceeds {@code most}. */
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

package org.svcmailbox.undertow.intake;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import jakarta.servlet.ServletContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.undertow.framing.RefusedHead;

/**
 * Stands before a deployment, in the I/O thread: a request passes with a place for its connection
 * and with its body.
 */
final class IntakeHandler implements HttpHandler {
  /** Monitoring must reach the service when clients cannot. */
  private static final Set<String> ALWAYS_SERVED =
      Set.of("/healthz", "/readyz", "/metrics", "/health");

  private final HttpHandler next;
  private final ServletContext context;
  private final Counts counts;
  private final Connections connections;
  // The application sets its attributes when it starts, which is after this is made.
  private volatile @Nullable Bounds bounds;

  IntakeHandler(HttpHandler next, ServletContext context, Counts counts) {
    this.next = next;
    this.context = context;
    this.counts = counts;
    this.connections = new Connections(counts.connections, counts.addresses);
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (!exchange.isInIoThread()) {
      // Where a request that came early follows one that ended in another thread.
      exchange.dispatch(exchange.getIoThread(), this);
      return;
    }
    Bounds granted = bounds();
    exchange.addResponseWrapper(
        (factory, answered) ->
            new HeldSink(
                new WatchedSink(
                    factory.create(), answered, granted.writeTimeout(), counts.slowReaders),
                answered,
                counts));
    IntakeRefusal refusal = refusal(exchange);
    if (refusal != null) {
      reader(exchange, granted).refuse(refusal);
      return;
    }
    IntakeRefusal full = connections.refusal(exchange.getConnection(), granted);
    if (full == null) {
      IdleTimeout.pauseFor(exchange, granted.idleTimeout(), counts.idleConnections);
      accept(exchange, granted);
    } else if (ALWAYS_SERVED.contains(exchange.getRequestPath())) {
      exchange.setPersistent(false);
      accept(exchange, granted);
    } else {
      reader(exchange, granted).refuse(counts.counted(full));
    }
  }

  private @Nullable IntakeRefusal refusal(HttpServerExchange exchange) {
    String head = RefusedHead.of(exchange);
    if (head != null) {
      return head.equals(RefusedHead.LARGE) ? IntakeRefusal.LARGE_HEAD : IntakeRefusal.HEAD;
    }
    if (!Streams.admit(exchange)) {
      counts.refusedStreams.increment();
      return IntakeRefusal.MAX_STREAMS;
    }
    return null;
  }

  private Bounds bounds() {
    Bounds known = bounds;
    if (known == null) {
      known = Bounds.of(context);
      bounds = known;
    }
    return known;
  }

  private void accept(HttpServerExchange exchange, Bounds granted) throws Exception {
    if (exchange.isRequestComplete()) {
      next.handleRequest(exchange);
      return;
    }
    long declared = exchange.getRequestContentLength();
    if (hasArrived(exchange, declared)) {
      next.handleRequest(exchange);
    } else if (declared > granted.maxBody()) {
      reader(exchange, granted).withhold();
    } else {
      reader(exchange, granted).begin();
    }
  }

  /** Whether the body came with the head: the usual case, in which it is read when it is wanted. */
  private static boolean hasArrived(HttpServerExchange exchange, long declared) {
    if (declared >= 0 && exchange.getConnection() instanceof HttpServerConnection connection) {
      PooledByteBuffer read = connection.getExtraBytes();
      return read != null && read.getBuffer().remaining() >= declared;
    }
    return false;
  }

  private BodyReader reader(HttpServerExchange exchange, Bounds granted) {
    long declared = exchange.getRequestContentLength();
    return new BodyReader(exchange, next, granted, counts, declared);
  }
}

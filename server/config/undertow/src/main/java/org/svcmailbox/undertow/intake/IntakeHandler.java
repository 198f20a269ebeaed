package org.svcmailbox.undertow.intake;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import jakarta.servlet.ServletContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.undertow.framing.RefusedHead;
import org.svcmailbox.undertow.stream.LastingAnswer;
import org.xnio.conduits.StreamSinkConduit;

/**
 * Runs before a deployment, on the I/O thread: a request passes with a place for its connection and
 * with its body.
 */
final class IntakeHandler implements HttpHandler {
  /** Monitoring must reach the service even when clients cannot. */
  private static final Set<String> ALWAYS_SERVED =
      Set.of("/healthz", "/readyz", "/metrics", "/health");

  private static final Logger LOG = System.getLogger(IntakeHandler.class.getName());

  private final HttpHandler next;
  private final ServletContext context;
  private final Counts counts;
  private final Connections connections;
  private final BodyOwners owners;
  private final BodyBudget anyones;
  // Read later, because the application sets its attributes when it starts, after this is created.
  private volatile @Nullable Bounds bounds;

  IntakeHandler(HttpHandler next, ServletContext context, Counts counts) {
    this.next = new Redirect(next);
    this.context = context;
    this.counts = counts;
    this.connections = new Connections(counts.connections, counts.addresses);
    this.owners = new BodyOwners(context);
    this.anyones = new BodyBudget(BodyBudget.OF_ANYONE, counts.bodyBytes);
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (!exchange.isInIoThread()) {
      // When an early request follows one that ended on another thread.
      exchange.dispatch(exchange.getIoThread(), this);
      return;
    }
    Bounds granted = bounds();
    exchange.addResponseWrapper((factory, answered) -> sink(factory.create(), answered, granted));
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

  private StreamSinkConduit sink(
      StreamSinkConduit next, HttpServerExchange answered, Bounds granted) {
    if (LastingAnswer.is(answered)) {
      // Its writer handles a slow client by itself.
      return WatchedSink.lasting(next, answered, LastingAnswer.PATIENCE, counts.slowReaders);
    }
    return new HeldSink(
        WatchedSink.of(next, answered, granted.writeTimeout(), counts.slowReaders),
        answered,
        counts);
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
    IntakeRefusal refusal = RequestForm.refusal(exchange);
    if (refusal != null) {
      reader(exchange, granted).refuse(refusal);
    } else if (exchange.isRequestComplete() || hasArrived(exchange)) {
      next.handleRequest(exchange);
    } else if (exchange.getRequestContentLength() > granted.maxBody()) {
      reader(exchange, granted).withhold();
    } else {
      readFor(owners.known(exchange), exchange, granted);
    }
  }

  private void readFor(@Nullable String owner, HttpServerExchange exchange, Bounds granted)
      throws Exception {
    if (owner != null) {
      reader(exchange, granted, share(owner, exchange, granted)).begin();
    } else {
      // On another thread, because the search may wait for the database.
      exchange.dispatch(owners.threads(), searching -> findOwner(exchange, granted));
    }
  }

  private void findOwner(HttpServerExchange exchange, Bounds granted) {
    HttpHandler found;
    try {
      String owner = owners.find(exchange);
      found =
          owner != null
              ? reading -> readFor(owner, exchange, granted)
              : refused -> refuseHead(exchange, granted);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "A body''s owner is not found: {0}", e.toString());
      found = refused -> reader(exchange, granted).refuse(IntakeRefusal.UNVERIFIED);
    }
    exchange.dispatch(exchange.getIoThread(), found);
  }

  /** The application refuses a request for its head and does not read its body. */
  private void refuseHead(HttpServerExchange exchange, Bounds granted) throws Exception {
    BodyOwners.removeToken(exchange);
    reader(exchange, granted).withhold();
  }

  private BodyBudget.Share share(String owner, HttpServerExchange exchange, Bounds granted) {
    return BodyOwners.isAnyone(owner)
        ? new BodyBudget.Share(anyones, BodyOwners.network(exchange), granted.fairShare())
        : new BodyBudget.Share(counts.bodies, owner, granted.fairShare());
  }

  /** Whether the body arrived with the head. In this usual case it is read when it is needed. */
  private static boolean hasArrived(HttpServerExchange exchange) {
    long declared = exchange.getRequestContentLength();
    if (declared >= 0 && exchange.getConnection() instanceof HttpServerConnection connection) {
      PooledByteBuffer read = connection.getExtraBytes();
      return read != null && read.getBuffer().remaining() >= declared;
    }
    return false;
  }

  /** A reader that keeps nothing of the body. */
  private BodyReader reader(HttpServerExchange exchange, Bounds granted) {
    return reader(exchange, granted, share("", exchange, granted));
  }

  private BodyReader reader(HttpServerExchange exchange, Bounds granted, BodyBudget.Share share) {
    return new BodyReader(exchange, next, granted, counts, share);
  }
}

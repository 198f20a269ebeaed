package org.svcmailbox.undertow.intake;

import io.undertow.server.Connectors;
import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.undertow.framing.FramingSource;
import org.svcmailbox.undertow.intake.ArrivingBody.Outcome;
import org.svcmailbox.undertow.intake.Connections.Place;
import org.xnio.ChannelListener;
import org.xnio.channels.StreamSourceChannel;

/**
 * Reads one request's body on the connection's I/O thread, and only then lets the request continue.
 * The request finds the body as if nothing had been read, because Undertow hands out what was put
 * back before it reads on.
 *
 * <p>A refused request is answered first. The rest of its body is discarded, so that the client
 * finds the answer and not a reset.
 */
final class BodyReader implements ChannelListener<StreamSourceChannel> {
  private static final Logger LOG = System.getLogger(BodyReader.class.getName());
  private static final int SCRAP = 8 << 10;

  private final HttpServerExchange exchange;
  private final HttpHandler next;
  private final Counts counts;
  private final BodyDeadline deadline;
  private final WithheldSource source;
  private final ArrivingBody body;
  private final Runnable farewell;
  private boolean isCounted;
  private boolean isRefused;

  BodyReader(
      HttpServerExchange exchange,
      HttpHandler next,
      Bounds bounds,
      Counts counts,
      BodyBudget.Share share) {
    this.exchange = exchange;
    this.next = next;
    this.counts = counts;
    long expected = bounds.expected(exchange.getRequestContentLength());
    this.deadline = new BodyDeadline(exchange, bounds.readTimeout(), expected, counts.lateBodies);
    this.source = new WithheldSource(deadline::begin, deadline::arrived);
    this.body = new ArrivingBody(share, expected);
    this.farewell = () -> BodyDeadline.close(exchange);
  }

  /** Reads what has arrived, and waits for the rest if there is one. */
  void begin() throws Exception {
    StreamSourceChannel channel = open();
    Outcome outcome;
    try {
      outcome = body.read(channel);
    } catch (IOException e) {
      endsEarly(channel, e);
      return;
    }
    if (outcome != Outcome.UNFINISHED) {
      end(channel, outcome).handleRequest(exchange);
    } else if (isBroken()) {
      refuseBody(channel, IntakeRefusal.CHUNKS);
    } else {
      IntakeRefusal refusal = takePlace();
      if (refusal == null) {
        await(channel);
      } else {
        body.release();
        refuse(channel, counts.counted(refusal));
      }
    }
  }

  private @Nullable IntakeRefusal takePlace() {
    Place place = place();
    IntakeRefusal refusal = place == null ? null : place.takeForBody();
    isCounted = place != null && refusal == null;
    return refusal;
  }

  /** Lets the request continue at once; the application must not read its body. */
  void withhold() throws Exception {
    exchange.addRequestWrapper(source);
    exchange.addExchangeCompleteListener(deadline);
    // In place from now on. Otherwise Undertow shuts down the reading side of a connection that is
    // to carry no other request, and the client finds a reset in place of its answer.
    exchange.getRequestChannel();
    source.withhold();
    Connectors.resetRequestChannel(exchange);
    next.handleRequest(exchange);
  }

  /** Answers at once with a refusal. */
  void refuse(IntakeRefusal refusal) {
    refuse(open(), refusal);
  }

  private StreamSourceChannel open() {
    exchange.addRequestWrapper(source);
    exchange.addExchangeCompleteListener(this::release);
    exchange.addExchangeCompleteListener(deadline);
    return exchange.getRequestChannel();
  }

  private void release(HttpServerExchange ended, NextListener following) {
    leave();
    body.release();
    following.proceed();
  }

  private void leave() {
    Place place = place();
    if (place != null) {
      place.forget(farewell);
      if (isCounted) {
        isCounted = false;
        place.leaveBody();
      }
    }
  }

  /**
   * The place at which to register for the connection's end. An HTTP/1.1 connection ends its
   * request itself; an HTTP/2 connection only removes the request's listener.
   */
  private @Nullable Place place() {
    return exchange.getConnection() instanceof HttpServerConnection
        ? null
        : Connections.placeOf(exchange.getConnection());
  }

  private void await(StreamSourceChannel channel) {
    deadline.begin();
    Place place = place();
    if (place != null) {
      place.atClose(farewell);
    }
    channel.getReadSetter().set(this);
    channel.resumeReads();
  }

  @Override
  public void handleEvent(StreamSourceChannel channel) {
    try {
      if (isRefused) {
        discard(channel);
      } else {
        readOn(channel);
      }
    } catch (IOException e) {
      if (isRefused) {
        BodyDeadline.close(exchange);
      } else {
        endsEarly(channel, e);
      }
    }
  }

  /** The client may have closed only its sending half, and wait for an answer. */
  private void endsEarly(StreamSourceChannel channel, IOException cause) {
    LOG.log(Level.DEBUG, "A body ends early: {0}", cause.getMessage());
    if (exchange.getConnection().isOpen()) {
      refuseBody(channel, IntakeRefusal.TRUNCATED);
    } else {
      // As Undertow does when chunks end early.
      BodyDeadline.close(exchange);
    }
  }

  private void readOn(StreamSourceChannel channel) throws IOException {
    long before = body.received();
    Outcome outcome = body.read(channel);
    if (body.received() > before) {
      deadline.arrived();
    }
    if (outcome != Outcome.UNFINISHED) {
      channel.getReadSetter().set(null);
      channel.suspendReads();
      Connectors.executeRootHandler(end(channel, outcome), exchange);
    } else if (isBroken()) {
      refuseBody(channel, IntakeRefusal.CHUNKS);
    }
  }

  /** Called after reading. */
  private HttpHandler end(StreamSourceChannel channel, Outcome outcome) {
    if (outcome == Outcome.NO_ROOM) {
      body.release();
      counts.refusedBodies.increment();
      return refused -> refuse(channel, IntakeRefusal.BODY_BYTES);
    }
    leave();
    if (outcome == Outcome.TOO_LARGE) {
      deadline.pause();
      source.withhold();
    } else {
      deadline.end();
    }
    Connectors.ungetRequestBytes(exchange, body.take());
    Connectors.resetRequestChannel(exchange);
    return next;
  }

  private boolean isBroken() {
    return exchange.getConnection() instanceof HttpServerConnection connection
        && FramingSource.isBroken(connection.getChannel());
  }

  private void refuseBody(StreamSourceChannel channel, IntakeRefusal refusal) {
    channel.getReadSetter().set(null);
    channel.suspendReads();
    leave();
    body.release();
    // Served by a handler, so that Undertow ends the request in an orderly way.
    Connectors.executeRootHandler(refused -> refuse(channel, refusal), exchange);
  }

  private void refuse(StreamSourceChannel channel, IntakeRefusal refusal) {
    isRefused = true;
    refusal.answer(
        exchange,
        () -> {
          if (exchange.isRequestComplete()) {
            exchange.endExchange();
          } else {
            await(channel);
          }
        });
  }

  private void discard(StreamSourceChannel channel) throws IOException {
    ByteBuffer scrap = ByteBuffer.allocate(SCRAP);
    int count = channel.read(scrap);
    while (count > 0) {
      deadline.arrived();
      scrap.clear();
      count = channel.read(scrap);
    }
    if (count < 0) {
      exchange.endExchange();
    }
  }
}

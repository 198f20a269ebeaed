package org.svcmailbox.undertow.intake;

import io.undertow.server.ServerConnection;
import io.undertow.util.AttachmentKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The places for connections. A connection takes one with its first request and gives it back when
 * it closes. One that found none asks again with its next request, if it may have one: over HTTP/2,
 * where it is not closed for it.
 */
final class Connections {
  private static final AttachmentKey<Place> PLACE = AttachmentKey.create(Place.class);

  private final AtomicLong taken;
  private final Addresses addresses;

  Connections(AtomicLong taken, Addresses addresses) {
    this.taken = taken;
    this.addresses = addresses;
  }

  /**
   * Gives the connection a place. In its I/O thread only: the listeners of a connection are a plain
   * list.
   *
   * @return null if it has one, or else why not
   */
  @Nullable IntakeRefusal refusal(ServerConnection connection, Bounds bounds) {
    // An HTTP/2 stream's connection keeps its attachments with the connection that it shares.
    if (connection.getAttachment(PLACE) != null) {
      return null;
    }
    Place place = new Place(this, connection, bounds);
    IntakeRefusal refusal = place.take();
    if (refusal != null) {
      return refusal;
    }
    connection.putAttachment(PLACE, place);
    connection.addCloseListener(place);
    if (!connection.isOpen()) {
      // Its listeners may have been called before there was this one.
      place.closed(connection);
    }
    return null;
  }

  /** The place of a connection, if it has one. */
  static @Nullable Place placeOf(ServerConnection connection) {
    return connection.getAttachment(PLACE);
  }

  /** The resources that a connection holds until it closes. */
  static final class Place implements ServerConnection.CloseListener {
    private final Connections connections;
    private final Bounds bounds;
    private final @Nullable InetAddress address;
    private final AtomicBoolean isLeft = new AtomicBoolean();
    private final Set<Runnable> farewells = ConcurrentHashMap.newKeySet();
    private int bodies;

    Place(Connections connections, ServerConnection connection, Bounds bounds) {
      this.connections = connections;
      this.bounds = bounds;
      InetAddress peer =
          connection.getPeerAddress() instanceof InetSocketAddress socket
              ? socket.getAddress()
              : null;
      this.address = peer == null || bounds.isExempt().test(peer) ? null : peer;
    }

    private @Nullable IntakeRefusal take() {
      if (address != null && !connections.addresses.enter(address, bounds.perAddress())) {
        return IntakeRefusal.ADDRESS_CONNS;
      }
      if (Counts.enter(connections.taken, 1, bounds.maxConns())) {
        return null;
      }
      leaveAddress();
      return IntakeRefusal.MAX_CONNS;
    }

    private void leave() {
      connections.taken.decrementAndGet();
      leaveAddress();
    }

    private void leaveAddress() {
      if (address != null) {
        connections.addresses.leave(address);
      }
    }

    /**
     * Has something run when the connection closes, in its I/O thread. One listener serves them
     * all, for a connection keeps its listeners as long as it lives.
     */
    void atClose(Runnable farewell) {
      farewells.add(farewell);
    }

    void forget(Runnable farewell) {
      farewells.remove(farewell);
    }

    /**
     * Takes part in the connection for a body that is not here yet. Over HTTP/2 a connection may
     * have many at a time: the first has the connection's place, each other one takes one more.
     */
    synchronized @Nullable IntakeRefusal takeForBody() {
      IntakeRefusal refusal = bodies == 0 ? null : take();
      if (refusal == null) {
        bodies++;
      }
      return refusal;
    }

    /** Gives back what {@link #takeForBody} took. */
    synchronized void leaveBody() {
      bodies--;
      if (bodies > 0) {
        leave();
      }
    }

    @Override
    public void closed(ServerConnection connection) {
      if (isLeft.compareAndSet(false, true)) {
        leave();
      }
      farewells.forEach(Runnable::run);
    }
  }
}

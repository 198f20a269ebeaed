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
 * The places for connections. A connection takes one with its first request and returns it when it
 * closes. A connection that got none tries again with its next request if it stays open, as over
 * HTTP/2.
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
   * Gives the connection a place. Only on its I/O thread, because a connection's listeners are a
   * plain list.
   *
   * @return null if it has a place, or else why it has none
   */
  @Nullable IntakeRefusal refusal(ServerConnection connection, Bounds bounds) {
    // An HTTP/2 stream's connection shares its attachments with the real connection.
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
      // Its listeners may have been called before this one was added.
      place.closed(connection);
    }
    return null;
  }

  /** The place of a connection; null if it has none. */
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
     * Registers an action for the end of the connection, on its I/O thread. One listener serves all
     * actions, because a connection keeps its listeners as long as it lives.
     */
    void atClose(Runnable farewell) {
      farewells.add(farewell);
    }

    void forget(Runnable farewell) {
      farewells.remove(farewell);
    }

    /**
     * Takes room in the connection for a body that has not arrived. Over HTTP/2 a connection may
     * have many at the same time: the first one uses the connection's place, and each further one
     * takes another place.
     */
    synchronized @Nullable IntakeRefusal takeForBody() {
      IntakeRefusal refusal = bodies == 0 ? null : take();
      if (refusal == null) {
        bodies++;
      }
      return refusal;
    }

    /** Returns what {@link #takeForBody} took. */
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

package org.svcmailbox.undertow.intake;

import io.undertow.server.ServerConnection;
import io.undertow.util.AttachmentKey;
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

  Connections(AtomicLong taken) {
    this.taken = taken;
  }

  /**
   * Whether the connection has a place. In its I/O thread only: the listeners of a connection are a
   * plain list.
   */
  boolean admit(ServerConnection connection, int most) {
    // An HTTP/2 stream's connection keeps its attachments with the connection that it shares.
    if (connection.getAttachment(PLACE) != null) {
      return true;
    }
    if (!Counts.enter(taken, 1, most)) {
      return false;
    }
    Place place = new Place(taken);
    connection.putAttachment(PLACE, place);
    connection.addCloseListener(place);
    if (!connection.isOpen()) {
      // Its listeners may have been called before there was this one.
      place.closed(connection);
    }
    return true;
  }

  /** The place of a connection, if it has one. */
  static @Nullable Place placeOf(ServerConnection connection) {
    return connection.getAttachment(PLACE);
  }

  /** The resources that a connection holds until it closes. */
  static final class Place implements ServerConnection.CloseListener {
    private final AtomicLong taken;
    private final AtomicBoolean isLeft = new AtomicBoolean();
    private final Set<Runnable> farewells = ConcurrentHashMap.newKeySet();
    private int bodies;

    Place(AtomicLong taken) {
      this.taken = taken;
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
    synchronized boolean admitBody(int most) {
      if (bodies > 0 && !Counts.enter(taken, 1, most)) {
        return false;
      }
      bodies++;
      return true;
    }

    /** Gives back what {@link #admitBody} took. */
    synchronized void leaveBody() {
      bodies--;
      if (bodies > 0) {
        taken.decrementAndGet();
      }
    }

    @Override
    public void closed(ServerConnection connection) {
      if (isLeft.compareAndSet(false, true)) {
        taken.decrementAndGet();
      }
      farewells.forEach(Runnable::run);
    }
  }
}

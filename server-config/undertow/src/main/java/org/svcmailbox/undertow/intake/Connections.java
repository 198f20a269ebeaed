package org.svcmailbox.undertow.intake;

import io.undertow.server.ServerConnection;
import io.undertow.util.AttachmentKey;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

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
    Place place = new Place();
    connection.putAttachment(PLACE, place);
    connection.addCloseListener(closed -> place.leave());
    if (!connection.isOpen()) {
      // Its listeners may have been called before there was this one.
      place.leave();
    }
    return true;
  }

  private final class Place {
    private final AtomicBoolean isLeft = new AtomicBoolean();

    void leave() {
      if (isLeft.compareAndSet(false, true)) {
        taken.decrementAndGet();
      }
    }
  }
}

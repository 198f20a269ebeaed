package org.svcmailbox.core.bounds;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;

/**
 * The unsettled messages of one stream, from hand-out to the end of their leases. Messages that
 * were passed to the output have a number. The window outlives its stream's disconnect, so that
 * another stream can resume it. Any thread.
 */
public final class StreamWindow {
  /** A handed-out message, as its worker holds it. */
  public interface Held {
    MsgId msgId();

    Receipt receipt();

    /** Payload bytes. */
    int size();

    /** Puts the message back without spending an attempt, unless its lease has ended. */
    void giveBack();
  }

  /** A message that was passed to the output. */
  public record Passed(MsgId msgId, Receipt receipt) {}

  private static final long NOT_PASSED = 0;
  private static final long GIVEN_BACK = -1;

  /** The number of a handed-out message, or the reason why it has none. */
  private static final class Place {
    private final Held held;
    private long number = NOT_PASSED;

    Place(Held held) {
      this.held = held;
    }
  }

  private final CapacityLimit ofAll;
  private final Map<Receipt, Place> places = new LinkedHashMap<>();
  private int messages;
  private long bytes;
  private long taken;
  private long last;
  private Runnable onRoom = () -> {};

  /**
   * @param ofAll the limit of all streams' unsettled messages
   */
  public StreamWindow(CapacityLimit ofAll) {
    this.ofAll = ofAll;
  }

  /**
   * Gives the window to a stream.
   *
   * @param mostMessages the most unsettled messages
   * @param mostBytes the most unsettled payload bytes; the last message may exceed them
   * @param whenRoom runs after each end of a lease; must not block
   */
  public synchronized void open(int mostMessages, long mostBytes, Runnable whenRoom) {
    messages = mostMessages;
    bytes = mostBytes;
    onRoom = whenRoom;
  }

  /** Called by the worker that hands a message out; false if all streams together hold too many. */
  public synchronized boolean tryEnter(Held held) {
    if (!ofAll.tryAdd(1)) {
      return false;
    }
    places.put(held.receipt(), new Place(held));
    taken += held.size();
    return true;
  }

  /** Called by the worker when the lease has ended, for whatever reason. */
  public void left(Receipt receipt) {
    if (remove(receipt)) {
      ofAll.remove(1);
      room().run();
    }
  }

  private synchronized boolean remove(Receipt receipt) {
    Place place = places.remove(receipt);
    taken -= place == null ? 0 : place.held.size();
    return place != null;
  }

  private synchronized Runnable room() {
    return onRoom;
  }

  /** How many more messages may be handed out; 0 once the limit of bytes is reached. */
  public synchronized int roomMessages() {
    return taken < bytes ? Math.max(0, messages - places.size()) : 0;
  }

  /** How many more payload bytes may be handed out. */
  public synchronized long roomBytes() {
    return Math.max(0, bytes - taken);
  }

  /** Messages whose leases have not ended. */
  public synchronized int unsettled() {
    return places.size();
  }

  /** Numbers a message for the output; 0 if its lease has ended or it was given back. */
  public synchronized long pass(Receipt receipt) {
    Place place = places.get(receipt);
    if (place == null || place.number != NOT_PASSED) {
      return 0;
    }
    last++;
    place.number = last;
    return last;
  }

  /** Whether a message has not reached the output; then it never will. */
  public synchronized boolean isUnread(Receipt receipt) {
    Place place = places.get(receipt);
    if (place == null || place.number > NOT_PASSED) {
      return false;
    }
    place.number = GIVEN_BACK;
    return true;
  }

  /** Gives back the messages that were not passed; returns how many. */
  public int giveBackUnpassed() {
    return giveBack(place -> place.number == NOT_PASSED);
  }

  /**
   * Gives back all messages after number {@code got}, up to which the client reports to have
   * received them. Numbers continue after it. Returns how many were given back.
   */
  public int resume(long got) {
    int given = giveBack(place -> place.number == NOT_PASSED || place.number > got);
    synchronized (this) {
      last = Math.min(last, got);
    }
    return given;
  }

  private int giveBack(Predicate<Place> which) {
    List<Held> given = new ArrayList<>();
    synchronized (this) {
      for (Place place : places.values()) {
        if (place.number != GIVEN_BACK && which.test(place)) {
          place.number = GIVEN_BACK;
          given.add(place.held);
        }
      }
    }
    given.forEach(Held::giveBack);
    return given.size();
  }

  /** The messages that were passed and not settled since, in order. */
  public synchronized List<Passed> passed() {
    return places.values().stream()
        .filter(place -> place.number > NOT_PASSED)
        .map(place -> new Passed(place.held.msgId(), place.held.receipt()))
        .toList();
  }
}

package org.svcmailbox.core.batch;

import java.util.stream.IntStream;

/**
 * The number of a shard worker, from 0. It names the worker's batch log in the broker and its rows
 * in the database.
 */
public record WorkerId(int number) implements Comparable<WorkerId> {
  private static final WorkerId[] FIRST =
      IntStream.range(0, 64).mapToObj(WorkerId::new).toArray(WorkerId[]::new);

  /** Checks the number. */
  public WorkerId {
    if (number < 0) {
      throw new IllegalArgumentException("worker " + number);
    }
  }

  /** The worker of this number; the same object for each of the most workers there can be. */
  public static WorkerId of(int number) {
    return number >= 0 && number < FIRST.length ? FIRST[number] : new WorkerId(number);
  }

  @Override
  public int compareTo(WorkerId other) {
    return Integer.compare(number, other.number);
  }

  /** The number, as in messages for operators. */
  @Override
  public String toString() {
    return Integer.toString(number);
  }
}

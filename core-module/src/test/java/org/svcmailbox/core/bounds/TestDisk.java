package org.svcmailbox.core.bounds;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;

/** A disk of 4 GiB that is nearly empty until a test changes that. */
public final class TestDisk implements DiskSpace {
  private volatile Room room = new Room(3L << 30, 4L << 30);
  private volatile @Nullable String fault;

  public void room(long free, long total) {
    room = new Room(free, total);
  }

  /** Makes the disk unwritable; null ends that. */
  public void fault(@Nullable String why) {
    fault = why;
  }

  @Override
  public Room room() {
    String why = fault;
    if (why != null) {
      throw new UnavailableException(why);
    }
    return room;
  }
}

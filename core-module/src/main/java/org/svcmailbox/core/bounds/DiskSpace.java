package org.svcmailbox.core.bounds;

import org.svcmailbox.core.problem.UnavailableException;

/** The disk that holds the service's data. */
@FunctionalInterface
public interface DiskSpace {
  record Room(long free, long total) {}

  /**
   * Reads the disk, without writing.
   *
   * @throws UnavailableException when the disk cannot be written
   */
  Room room();
}

package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Checkpoints of SQLite and new journal files of the broker, observed by polling every 10 ms.
 * SQLite writes the database file only during a checkpoint; the broker creates a journal file only
 * when it has none to reuse.
 */
public final class DiskWatch extends Watch {
  static final String CHECKPOINT = "checkpoint";
  static final String JOURNAL_FILE = "journal file";

  private static final Duration POLL = Duration.ofMillis(10);

  /** Writes closer than this belong to one checkpoint. */
  private static final Duration TOGETHER = Duration.ofMillis(100);

  private final Path database;
  private final Path journal;

  public DiskWatch(Path data) {
    super("disk-watch");
    this.database = data.resolve("mailbox/mailbox.db");
    this.journal = data.resolve("activemq/journal");
  }

  @Override
  void watch() throws IOException {
    Set<Path> files = files();
    long written = written();
    long before = System.nanoTime();
    while (!isOver()) {
      LockSupport.parkNanos(POLL.toNanos());
      long now = System.nanoTime();
      long writtenNow = written();
      if (writtenNow != written) {
        checkpoint(before, now);
      }
      Set<Path> filesNow = files();
      if (!files.containsAll(filesNow)) {
        seen().add(new Span(JOURNAL_FILE, before, now));
      }
      written = writtenNow;
      files = filesNow;
      before = now;
    }
  }

  private void checkpoint(long from, long until) {
    int last = lastCheckpoint();
    if (last >= 0 && from - seen().get(last).until() < TOGETHER.toNanos()) {
      seen().set(last, new Span(CHECKPOINT, seen().get(last).from(), until));
    } else {
      seen().add(new Span(CHECKPOINT, from, until));
    }
  }

  private int lastCheckpoint() {
    int last = seen().size() - 1;
    while (last >= 0 && !seen().get(last).what().equals(CHECKPOINT)) {
      last--;
    }
    return last;
  }

  private long written() throws IOException {
    return Files.getLastModifiedTime(database).toMillis();
  }

  private Set<Path> files() throws IOException {
    Set<Path> files = new HashSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(journal)) {
      entries.forEach(files::add);
    } catch (NoSuchFileException e) {
      // A file was renamed while the directory was read.
      return files;
    }
    return files;
  }
}

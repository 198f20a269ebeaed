package org.svcmailbox.ejb.batch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.ejb.store.ServerUrl;
import org.svcmailbox.ejb.store.SqliteFile;

/**
 * A process that writes into a database, each worker in a thread of its own. It reports on its
 * standard output what is safe, until the database fails or the process is killed.
 */
final class DoomedProcess {
  /** The exit status when the database failed. */
  static final int DATABASE_FAILED = 3;

  // No test reads this far: an abandoned process ends by itself.
  private static final int MAX_STEPS = 50_000;

  private DoomedProcess() {}

  /** Arguments: the URL's parameters, the file, the seed. */
  public static void main(String[] args) throws Exception {
    Thread watch = new Thread(DoomedProcess::endWithParent);
    watch.setDaemon(true);
    watch.start();
    SqliteFile file = SqliteFile.open(new ServerUrl(args[0]), Path.of(args[1]));
    ProjectionStore store = new JpaProjectionStore(file.transactions());
    List<Thread> threads = new ArrayList<>();
    for (int worker = 0; worker < BatchWriter.WORKERS; worker++) {
      BatchWriter writer = new BatchWriter(store, worker, Long.parseLong(args[2]));
      threads.add(start(() -> announce(writer)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // Not closed: a process that dies does not tidy up either.
    Runtime.getRuntime().halt(DATABASE_FAILED);
  }

  /** A failure of the database is printed and ends the worker, as of any thread. */
  private static void announce(BatchWriter writer) {
    try {
      for (int steps = 0; steps < MAX_STEPS; steps++) {
        writer.step().forEach(batch -> System.out.println(batch.line()));
      }
    } catch (MovedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing; the end of its life is the end of this stream.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().halt(1);
  }

  private static Thread start(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    return thread;
  }
}

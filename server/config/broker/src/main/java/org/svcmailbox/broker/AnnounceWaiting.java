package org.svcmailbox.broker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.HAPolicyConfiguration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Tells the service whether another broker of a pair waits to take over.
 *
 * <p>A waiting broker listens nowhere, and the one that serves does not know of it. So the waiting
 * one changes a file in the shared store every five seconds. While the file changes, the serving
 * one has the address {@link #ADDRESS}. See docs/adr/0142.
 */
public final class AnnounceWaiting implements ActiveMQServerPlugin {
  /** Exists while another broker waits. */
  static final SimpleString ADDRESS = SimpleString.of("mailbox.standby");

  static final String FILE = "waiting";

  private static final Logger LOG = System.getLogger(AnnounceWaiting.class.getName());

  private static final Duration EVERY = Duration.ofSeconds(5);

  /** Beats that may be missing. */
  private static final int MISSING = 3;

  private final Duration every;
  private @Nullable Future<?> beating;

  /** For the broker, which names this class in its configuration. */
  public AnnounceWaiting() {
    this(EVERY);
  }

  AnnounceWaiting(Duration every) {
    this.every = every;
  }

  /** Called before the broker gets the lock of the store, and again when it starts again. */
  @Override
  public synchronized void registered(ActiveMQServer server) {
    if (!isOfAPair(server)) {
      return;
    }
    if (beating != null) {
      beating.cancel(false);
    }
    Path file = server.getConfiguration().getJournalLocation().toPath().resolveSibling(FILE);
    Beat beat = new Beat(server, file, new Beats(every.multipliedBy(MISSING)));
    beating =
        server
            .getScheduledPool()
            .scheduleWithFixedDelay(beat, 0, every.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static boolean isOfAPair(ActiveMQServer server) {
    HAPolicyConfiguration policy = server.getConfiguration().getHAPolicyConfiguration();
    return policy != null
        && (policy.getType() == HAPolicyConfiguration.TYPE.SHARED_STORE_PRIMARY
            || policy.getType() == HAPolicyConfiguration.TYPE.SHARED_STORE_BACKUP);
  }

  /** Writes while the broker waits, and looks while it serves. */
  private static final class Beat implements Runnable {
    private final ActiveMQServer server;
    private final Path file;
    private final Beats beats;
    private boolean isFailing;

    Beat(ActiveMQServer server, Path file, Beats beats) {
      this.server = server;
      this.file = file;
      this.beats = beats;
    }

    @Override
    public void run() {
      try {
        if (server.isActive()) {
          show(beats.next(read(), System.nanoTime()));
        } else {
          write();
        }
        isFailing = false;
      } catch (Exception e) {
        // Which broker serves does not depend on it; the next beat tries again.
        if (!isFailing) {
          LOG.log(
              Level.WARNING,
              "The check for a waiting broker failed at {0}, and will be repeated: {1}",
              file,
              e.toString());
        }
        isFailing = true;
      }
    }

    private @Nullable String read() throws IOException {
      try {
        return Files.readString(file);
      } catch (NoSuchFileException e) {
        return null;
      }
    }

    /** In one step, so that nobody reads half of it. */
    private void write() throws IOException {
      Path next = file.resolveSibling(FILE + ".new");
      Files.writeString(next, UUID.randomUUID() + "\n");
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void show(boolean waits) throws Exception {
      boolean isShown = server.getAddressInfo(ADDRESS) != null;
      if (waits && !isShown) {
        server.addAddressInfo(new AddressInfo(ADDRESS, RoutingType.ANYCAST));
      } else if (!waits && isShown) {
        server.removeAddressInfo(ADDRESS, null);
      }
    }
  }
}

package org.svcmailbox.ejb.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.broker.EmbeddedArtemis.Options;

/**
 * The brokers of one test, which it need not close. A returned broker is emptied and kept for the
 * next test with the same options, because a start takes longer than most tests.
 */
public final class Brokers implements AutoCloseable {
  private final Pool pool;
  private final List<ArtemisFixture> lent = new ArrayList<>();

  private Brokers(Pool pool) {
    this.pool = pool;
  }

  /** Lends each test of a class its brokers. */
  public static final class Lender implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(Brokers.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Brokers.class;
    }

    @Override
    public Brokers resolveParameter(ParameterContext parameter, ExtensionContext context) {
      Pool pool =
          context
              .getRoot()
              .getStore(NAMESPACE)
              .getOrComputeIfAbsent(Pool.class, type -> new Pool(), Pool.class);
      return context
          .getStore(NAMESPACE)
          .getOrComputeIfAbsent(context.getUniqueId(), id -> new Brokers(pool), Brokers.class);
    }
  }

  /** A broker with nothing in it, spoken to directly. */
  public ArtemisFixture start(Options options) {
    return start(options, Way.DIRECT);
  }

  /** A broker with nothing in it. */
  public ArtemisFixture start(Options options, Way way) {
    ArtemisFixture fixture = new ArtemisFixture(this, pool.take(options), way);
    lent.add(fixture);
    return fixture;
  }

  /** Takes a broker back in whatever state its test leaves it. */
  void giveBack(EmbeddedArtemis artemis) {
    lent.removeIf(fixture -> fixture.artemis() == artemis);
    pool.giveBack(artemis);
  }

  @Override
  public void close() {
    List.copyOf(lent).forEach(ArtemisFixture::close);
  }

  /** The brokers of a test run. */
  private static final class Pool implements AutoCloseable {
    private final Path directory;
    private final List<EmbeddedArtemis> idle = new ArrayList<>();

    Pool() {
      try {
        directory = Files.createTempDirectory("mailbox-brokers");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    EmbeddedArtemis take(Options options) {
      EmbeddedArtemis kept = poll(options);
      return kept == null ? EmbeddedArtemis.start(directory, options) : kept;
    }

    private synchronized @Nullable EmbeddedArtemis poll(Options options) {
      for (Iterator<EmbeddedArtemis> all = idle.iterator(); all.hasNext(); ) {
        EmbeddedArtemis kept = all.next();
        if (kept.options().equals(options)) {
          all.remove();
          return kept;
        }
      }
      return null;
    }

    void giveBack(EmbeddedArtemis artemis) {
      if (artemis.empty()) {
        keep(artemis);
      } else {
        artemis.discard();
      }
    }

    private synchronized void keep(EmbeddedArtemis artemis) {
      idle.add(artemis);
    }

    @Override
    public synchronized void close() {
      idle.forEach(EmbeddedArtemis::discard);
      FileUtil.deleteDirectory(directory.toFile());
    }
  }
}

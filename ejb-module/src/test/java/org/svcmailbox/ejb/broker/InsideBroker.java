package org.svcmailbox.ejb.broker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A broker as tests reach into it, which no client could. It runs in processes of brokers too,
 * which have no more of this project than {@link Deadline} and the plugins.
 */
final class InsideBroker {
  private static final int FILES = 4;
  private static final Duration SOON = Duration.ofSeconds(10);

  private final ActiveMQServer server;

  InsideBroker(ActiveMQServer server) {
    this.server = server;
  }

  /** The commit of a session that the journal keeps waiting. */
  static final class LateCommit {
    private final ServerSession session;
    private final Transaction staged;
    private final OperationContext journal;
    private final AtomicBoolean waiting = new AtomicBoolean(true);

    private LateCommit(ServerSession session) {
      this.session = session;
      staged = session.getCurrentTransaction();
      journal = session.getSessionContext();
      journal.storeLineUp();
    }

    /** Fails the session's connection once the commit has begun. */
    void loseConnection() {
      Deadline.in(SOON)
          .await(() -> session.getCurrentTransaction() != staged, () -> "the commit to begin");
      session.getRemotingConnection().fail(new ActiveMQException("lost"));
    }

    /** Lets the journal go on. */
    void goOn() {
      if (waiting.getAndSet(false)) {
        journal.done();
      }
    }
  }

  /** Has the next commit of the session that receives from a queue wait for the journal. */
  LateCommit holdCommit(SimpleString queue) {
    String session = receivers(queue).findFirst().orElseThrow().getSessionID();
    return new LateCommit(server.getSessionByID(session));
  }

  /** Fails the connection of the session that receives from a queue, as a lost network does. */
  void loseConnection(SimpleString queue) {
    String session = receivers(queue).findFirst().orElseThrow().getSessionID();
    server.getSessionByID(session).getRemotingConnection().fail(new ActiveMQException("lost"));
  }

  /** Ends the session that receives from a queue, and leaves its connection alone. */
  void endQuietly(SimpleString queue) {
    String session = receivers(queue).findFirst().orElseThrow().getSessionID();
    try {
      server.getSessionByID(session).close(false);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    Deadline.in(SOON).await(() -> server.getSessionByID(session) == null, () -> "its end");
  }

  /** Closes the consumer of a queue, and does not tell the session that it is of. */
  void takeFromConsumer(SimpleString queue) {
    try {
      receivers(queue).findFirst().orElseThrow().close(false);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Artemis makes a file ahead, so the sync of the one behind it would keep its name. */
  void goOnInNewJournalFile() {
    JournalImpl journal = journal();
    try {
      journal.setAutoReclaim(false);
      for (int i = 0; i < FILES; i++) {
        journal.forceMoveNextFile();
      }
      Deadline.in(SOON).await(() -> journal.getOpenedFilesCount() == 1, () -> "the new file");
      journal.setAutoReclaim(true);
      journal.checkReclaimStatus();
      if (journal.getFreeFilesCount() == 0) {
        throw new IllegalStateException("the one behind it would be new too");
      }
      journal.forceMoveNextFile();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The file that the journal of messages writes to. */
  Path journalFile() {
    return journal().getCurrentFile().getFile().getJavaFile().toPath();
  }

  private JournalImpl journal() {
    return (JournalImpl) server.getStorageManager().getMessageJournal();
  }

  private Stream<ServerConsumer> receivers(SimpleString queue) {
    return server.getSessions().stream()
        .flatMap(session -> session.getServerConsumers().stream())
        .filter(consumer -> !consumer.isBrowseOnly())
        .filter(consumer -> consumer.getQueue().getName().equals(queue));
  }
}

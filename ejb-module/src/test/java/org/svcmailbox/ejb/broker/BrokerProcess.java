package org.svcmailbox.ejb.broker;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.jspecify.annotations.Nullable;

/**
 * The main class of {@link ArtemisProcess}. It runs a broker as Artemis' own command line does.
 * Each line of its input is a command, and has a line as its answer. The broker stops at the end of
 * the input. This is compiled with the Artemis of the service, and runs with any that has the same
 * classes.
 */
final class BrokerProcess {
  static final String DONE = "done ";
  private static final String ACCEPTOR = "core";

  private EmbeddedActiveMQ broker;
  private InsideBroker.@Nullable LateCommit late;

  /** A wish of the test. */
  enum Command {
    /** The port that the broker listens on. */
    PORT,
    HOLD_COMMIT,
    LOSE_CONNECTION,
    GO_ON,
    END_QUIETLY,
    TAKE_FROM_CONSUMER,
    GO_ON_IN_NEW_JOURNAL_FILE,
    /** The file that the journal writes to. */
    JOURNAL_FILE,
    /** Another broker, with the settings in a file. */
    REPLACE
  }

  private BrokerProcess(String configuration) throws Exception {
    broker = start(configuration);
  }

  private static EmbeddedActiveMQ start(String configuration) throws Exception {
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfigResourcePath(configuration);
    broker.setSecurityManager(new ActiveMQJAASSecurityManager("activemq"));
    broker.start();
    return broker;
  }

  public static void main(String[] arguments) throws Exception {
    // An error of this thread alone would leave the broker running.
    Thread.setDefaultUncaughtExceptionHandler(BrokerProcess::fail);
    BrokerProcess process = new BrokerProcess(arguments[0]);
    process.obey();
    process.broker.stop();
    System.exit(0);
  }

  private static void fail(Thread thread, Throwable failure) {
    failure.printStackTrace();
    if (thread.getName().equals("main")) {
      Runtime.getRuntime().halt(1);
    }
  }

  private void obey() throws Exception {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", 2);
      System.out.println(DONE + obey(Command.valueOf(words[0]), words[1]));
    }
  }

  private String obey(Command command, String argument) throws Exception {
    SimpleString queue = SimpleString.of(argument);
    InsideBroker inside = new InsideBroker(broker.getActiveMQServer());
    switch (command) {
      case PORT -> {
        return Integer.toString(port());
      }
      case HOLD_COMMIT -> late = inside.holdCommit(queue);
      case LOSE_CONNECTION -> Objects.requireNonNull(late).loseConnection();
      case GO_ON -> Objects.requireNonNull(late).goOn();
      case REPLACE -> {
        broker.stop();
        broker = start(argument);
      }
      case JOURNAL_FILE -> {
        return inside.journalFile().toString();
      }
      case GO_ON_IN_NEW_JOURNAL_FILE -> inside.goOnInNewJournalFile();
      case TAKE_FROM_CONSUMER -> inside.takeFromConsumer(queue);
      case END_QUIETLY -> inside.endQuietly(queue);
    }
    return "";
  }

  private int port() {
    return ((NettyAcceptor) broker.getActiveMQServer().getRemotingService().getAcceptor(ACCEPTOR))
        .getActualPort();
  }
}

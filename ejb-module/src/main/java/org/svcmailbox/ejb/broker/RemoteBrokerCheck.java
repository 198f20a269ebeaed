package org.svcmailbox.ejb.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.config.ActiveMQDefaultConfiguration;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.json.JsonObject;
import org.apache.activemq.artemis.json.JsonValue;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.link.BrokerConnections;

/**
 * Checks a broker in another process. It must admit nobody without a password, soon release the
 * queues of a service that is gone, and be of a tested release. One thread.
 */
final class RemoteBrokerCheck {
  /** Tested releases: the client's own and all from 2.52 on. */
  private static final Pattern RELEASES = Pattern.compile("2\\.(44|5[2-9]|[6-9]\\d|\\d{3,})\\..*");

  /**
   * The longest TTL: until it ends, a service that is cut off keeps its queues from its successor.
   */
  static final long MOST_TTL_MILLIS = 5_000;

  /**
   * The shortest TTL: a pause of the service, such as a garbage collection, must not end its
   * connections.
   */
  static final long LEAST_TTL_MILLIS = 2_000;

  /** The value that leaves the TTL to each client. */
  private static final long TTL_OF_CLIENT = -1;

  /** The interval between login attempts, because each one logs a warning in the broker. */
  private static final long ATTEMPTS_NANOS = Duration.ofMinutes(10).toNanos();

  /** An address outside this service, to read the settings that apply to every address. */
  private static final String ANY_ADDRESS = "x";

  /** Fixes the fault that ADR 59 describes. */
  private static final String LATE_ACKS = "org.svcmailbox.broker.RefuseLateAcknowledgements";

  private static final String FILE_NAMES = "org.svcmailbox.broker.NameJournalFiles";

  private static final String BROKERS = "org.svcmailbox.broker.RefuseBrokers";

  private static final String NO_STRANGER = "";

  private final BrokerAdmin admin;
  private final BrokerConnections connections;
  private final LongSupplier nanoTime;
  private String admitted = NO_STRANGER;
  private Object attemptedOn = NO_STRANGER;
  private long attempted;

  RemoteBrokerCheck(BrokerAdmin admin, BrokerConnections connections, LongSupplier nanoTime) {
    this.admin = admin;
    this.connections = connections;
    this.nanoTime = nanoTime;
  }

  /**
   * Every violation, one sentence each; empty when all is well or the broker is in this process.
   */
  List<String> violations() {
    List<String> found = new ArrayList<>();
    if (!connections.isRemote()) {
      return found;
    }
    checkVersion(found);
    checkUsers(found);
    checkAcceptors(found);
    checkConnectionTtl(found);
    checkPlugins(found);
    checkStore(found);
    checkOtherAddresses(found);
    checkAttributes(found);
    return found;
  }

  private void checkVersion(List<String> found) {
    String version = admin.attributes().text(ResourceNames.BROKER, "Version");
    if (!isTested(version)) {
      found.add(
          "The broker is Artemis "
              + version
              + ", which this service is not tested with: run 2.52 or a later 2.x, or 2.44.x.");
    }
  }

  static boolean isTested(String version) {
    return RELEASES.matcher(version).matches();
  }

  private void checkUsers(List<String> found) {
    if (!admin.attributes().isOn("SecurityEnabled")) {
      found.add("The broker lets anybody in without a password: set security-enabled to true.");
      return;
    }
    String stranger = admittedStranger();
    if (!stranger.isEmpty()) {
      found.add(stranger);
    }
  }

  /**
   * Tries logins that the broker must refuse, because no setting tells which login modules it has.
   * Tries again on a new connection, after ten minutes, and until they are refused.
   */
  private String admittedStranger() {
    Object connection = admin.connectionId();
    long now = nanoTime.getAsLong();
    if (!admitted.isEmpty()
        || !connection.equals(attemptedOn)
        || now - attempted >= ATTEMPTS_NANOS) {
      admitted = attempts();
      attemptedOn = connection;
      attempted = now;
    }
    return admitted;
  }

  private String attempts() {
    if (connections.hasUser() && connections.admits(null, null)) {
      return "The broker lets anybody in without a password: remove the login module that knows"
          + " guests.";
    }
    String own = ActiveMQDefaultConfiguration.getDefaultClusterUser();
    // Where only the certificate counts, the broker accepts any password.
    if (connections.admits(own, ActiveMQDefaultConfiguration.getDefaultClusterPassword())
        && !connections.admits(own, "")) {
      return "The broker's own user, who may do everything, has the password that everyone knows:"
          + " set cluster-password.";
    }
    return NO_STRANGER;
  }

  private void checkAcceptors(List<String> found) {
    for (JsonValue each :
        JsonUtil.readJsonArray(admin.attributes().text(ResourceNames.BROKER, "AcceptorsAsJSON"))) {
      JsonObject acceptor = each.asJsonObject();
      JsonObject params = acceptor.getJsonObject("params");
      boolean isRemote = acceptor.getString("factoryClassName", "").contains("Netty");
      if (isRemote && !"CORE".equals(params.getString("protocols", ""))) {
        found.add(
            "The broker's acceptor "
                + acceptor.getString("name", "")
                + " speaks protocols that nobody here uses: set its protocols to CORE.");
      }
    }
  }

  private void checkConnectionTtl(List<String> found) {
    long ttl = admin.attributes().number(ResourceNames.BROKER, "ConnectionTTLOverride");
    if (ttl != TTL_OF_CLIENT && (ttl < LEAST_TTL_MILLIS || ttl > MOST_TTL_MILLIS)) {
      found.add(
          "The broker keeps the queues of a service that is gone, or gives up on one that pauses:"
              + " set connection-ttl-override to "
              + LEAST_TTL_MILLIS
              + " to "
              + MOST_TTL_MILLIS
              + ", or to -1.");
    }
  }

  private void checkPlugins(List<String> found) {
    List<String> there = admin.attributes().texts(ResourceNames.BROKER, "BrokerPluginClassNames");
    checkPlugin(found, there, LATE_ACKS, "keep a message away after a connection that failed");
    checkPlugin(found, there, FILE_NAMES, "lose what it has answered in a power cut");
    checkPlugin(found, there, BROKERS, "connect to any address for a stranger without a password");
  }

  private static void checkPlugin(
      List<String> found, List<String> there, String plugin, String damage) {
    if (!there.contains(plugin)) {
      found.add("The broker may " + damage + ": add the broker-plugin " + plugin + ".");
    }
  }

  private void checkStore(List<String> found) {
    if (admin.attributes().text(ResourceNames.BROKER, "JournalType").equals("MAPPED")) {
      found.add("The broker's journal may lose what is synced: set journal-type to NIO.");
    }
    String policy = admin.attributes().text(ResourceNames.BROKER, "HAPolicy");
    if (policy.startsWith("Replication") || policy.equals("Colocated")) {
      found.add(
          "The broker's backup may lack what was answered: use a shared store in place of"
              + " replication.");
    }
    if (admin.attributes().number(ResourceNames.BROKER, "MaxDiskUsage") < 100) {
      found.add(
          "The broker would hold back acknowledgements while its disk is nearly full: set"
              + " max-disk-usage to 100.");
    }
  }

  private void checkAttributes(List<String> found) {
    if (!admin.attributes().tellsWholeAttributes(QueueNames.SAMPLE)) {
      found.add(
          "The broker's management cuts scheduled messages off, so they cannot be listed: set"
              + " management-message-attribute-size-limit for mailbox.# to -1.");
    }
  }

  private void checkOtherAddresses(List<String> found) {
    JsonObject settings = JsonUtil.readJsonObject(admin.attributes().addressSettings(ANY_ADDRESS));
    if (settings.getBoolean("autoCreateQueues", true)
        || settings.getBoolean("autoCreateAddresses", true)) {
      found.add(
          "The broker makes queues by itself for any name: set auto-create-queues and"
              + " auto-create-addresses for # to false.");
    }
  }
}

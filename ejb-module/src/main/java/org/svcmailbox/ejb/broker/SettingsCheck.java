package org.svcmailbox.ejb.broker;

import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.json.JsonObject;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.ForeignBatchLogs;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.letters.LetterSegments;

/** Checks the broker's settings: it must drop nothing, and give up on nothing without a trace. */
final class SettingsCheck {
  /** The largest page, and the most that the broker may read ahead from a shard's pages. */
  private static final long MOST_PAGE_BYTES = 1024 * 1024;

  private static final String ALL = "mailbox.#";
  private static final String LETTERS = "mailbox.dlq.#";

  private final BrokerAdmin admin;
  private final boolean amnesia;
  private final List<String> found = new ArrayList<>();

  /**
   * @param amnesia whether nothing may be on disk, instead of everything
   */
  SettingsCheck(BrokerAdmin admin, boolean amnesia) {
    this.admin = admin;
    this.amnesia = amnesia;
  }

  /** Every violation, one sentence each; none when all is well. */
  List<String> violations() {
    if (amnesia) {
      checkForgetful();
    } else {
      checkDurable();
    }
    checkAddress(JsonUtil.readJsonObject(admin.attributes().addressSettings(QueueNames.SAMPLE)));
    checkLog(JsonUtil.readJsonObject(admin.attributes().addressSettings(QueueNames.SAMPLE_LOG)));
    checkLogs();
    JsonObject letters =
        JsonUtil.readJsonObject(admin.attributes().addressSettings(QueueNames.SAMPLE_LETTERS));
    checkLetters(letters);
    if (found.isEmpty()) {
      // Skipped while anything else is wrong, because dead letters may only have inherited it.
      checkKept(letters, LETTERS);
    }
    checkUndeliverable();
    return List.copyOf(found);
  }

  private void checkForgetful() {
    if (admin.attributes().isOn("PersistenceEnabled")) {
      found.add("The broker writes messages to disk in amnesia: disable persistence.");
    }
  }

  private void checkDurable() {
    if (!admin.attributes().isOn("PersistenceEnabled")) {
      found.add("The broker keeps messages in memory only: enable persistence.");
    }
    if (!admin.attributes().isOn("JournalSyncTransactional")) {
      found.add(
          "The broker says done before messages are on disk: set journal-sync-transactional to"
              + " true.");
    }
    if (!admin.attributes().isOn("PersistDeliveryCountBeforeDelivery")) {
      found.add(
          "The broker forgets delivery counts when it is killed, so a message that kills it comes"
              + " back for ever: set persist-delivery-count-before-delivery to true.");
    }
  }

  private void checkAddress(JsonObject settings) {
    checkGivenUp(settings, "deadLetterAddress", "dead-letter-address");
    checkGivenUp(settings, "expiryAddress", "expiry-address");
    if (number(settings, "maxDeliveryAttempts", 10) <= 0) {
      found.add(
          "The broker never gives up on a message: set max-delivery-attempts for mailbox.# above"
              + " 0.");
    }
    checkDelay(settings);
    checkKept(settings, ALL);
    if (!amnesia) {
      checkPages(settings, ALL);
      checkPrefetch(settings);
    }
  }

  private void checkGivenUp(JsonObject settings, String key, String name) {
    String undeliverable = QueueNames.UNDELIVERABLE.toString();
    if (!undeliverable.equals(text(settings, key, ""))) {
      found.add(
          "The broker would lose messages that it gives up on: set "
              + name
              + " for mailbox.# to "
              + undeliverable
              + ".");
    }
  }

  private void checkDelay(JsonObject settings) {
    if (number(settings, "redeliveryDelay", 0) != 0) {
      found.add(
          "The broker would return messages of a lost session behind later ones: set"
              + " redelivery-delay for mailbox.# to 0.");
    }
  }

  /**
   * @param match the address match that has these settings in the broker
   */
  private void checkKept(JsonObject settings, String match) {
    checkFull(text(settings, "addressFullMessagePolicy", "PAGE"), match);
    checkPages(settings, "pageLimitBytes", "page-limit-bytes", match);
    checkPages(settings, "pageLimitMessages", "page-limit-messages", match);
    if (settings.getBoolean("autoDeleteQueues", true)
        || settings.getBoolean("autoDeleteCreatedQueues", false)) {
      found.add(
          "The broker removes queues by itself: set auto-delete-queues and"
              + " auto-delete-created-queues for "
              + match
              + " to false.");
    }
    if (settings.getBoolean("autoCreateQueues", true)
        || settings.getBoolean("autoCreateAddresses", true)) {
      found.add(
          "The broker makes queues by itself, so a deleted topic's could come back: set"
              + " auto-create-queues and auto-create-addresses for "
              + match
              + " to false.");
    }
    if (settings.getBoolean("noExpiry", false)) {
      found.add("The broker ignores retention: do not set no-expiry for " + match + ".");
    }
    if (number(settings, "slowConsumerThreshold", -1) >= 0
        && "KILL".equals(text(settings, "slowConsumerPolicy", "NOTIFY"))) {
      found.add(
          "The broker ends sessions of workers that are slow: do not set slow-consumer-policy for "
              + match
              + " to KILL.");
    }
  }

  private void checkPages(JsonObject settings, String key, String name, String match) {
    if (number(settings, key, -1) >= 0) {
      found.add(
          "The broker drops or refuses messages when many are in pages: set "
              + name
              + " for "
              + match
              + " to -1.");
    }
  }

  private void checkFull(String policy, String match) {
    if (amnesia && !policy.equals("FAIL")) {
      found.add(
          "The broker drops messages or writes them to disk when memory is full: set"
              + " address-full-policy for "
              + match
              + " to FAIL.");
    }
    if (!amnesia && !policy.equals("PAGE")) {
      found.add(
          "The broker drops or refuses messages when memory is full: set"
              + " address-full-policy for "
              + match
              + " to PAGE.");
    }
  }

  /** A delayed entry would make a log look as if a transaction were still open. */
  private void checkLog(JsonObject settings) {
    if (!"BLOCK".equals(text(settings, "addressFullMessagePolicy", "PAGE"))) {
      found.add(
          "The broker would page or drop workers' logs of batches when memory is full, and SENDs"
              + " would fail: set address-full-policy for mailbox.log.# to BLOCK.");
    }
    checkUnlimited(settings, "maxSizeBytes", "max-size-bytes");
    checkUnlimited(settings, "maxSizeMessages", "max-size-messages");
    if (number(settings, "redeliveryDelay", 0) != 0) {
      found.add(
          "The broker would keep back entries of workers' logs, and SENDs would wait for them: set"
              + " redelivery-delay for mailbox.log.# to 0.");
    }
    if (number(settings, "maxDeliveryAttempts", 10) != -1) {
      found.add(
          "The broker would give up on entries of workers' logs after lost sessions: set"
              + " max-delivery-attempts for mailbox.log.# to -1.");
    }
    checkNoExpiry(settings);
  }

  private void checkUnlimited(JsonObject settings, String key, String name) {
    if (number(settings, key, -1) != -1) {
      found.add(
          "The broker would have SENDs wait for room in workers' logs of batches: set "
              + name
              + " for mailbox.log.# to -1.");
    }
  }

  private void checkNoExpiry(JsonObject settings) {
    if (number(settings, "expiryDelay", -1) >= 0 || number(settings, "maxExpiryDelay", -1) >= 0) {
      found.add(
          "The broker would let entries of workers' logs expire: do not set expiry-delay or"
              + " max-expiry-delay for mailbox.log.#.");
    }
  }

  /** Only an exclusive queue hands a log to the next session as a whole. */
  private void checkLogs() {
    new ForeignBatchLogs(admin)
        .find()
        .forEach(log -> found.add("The queue " + log + ". " + ForeignBatchLogs.WAY_OUT));
  }

  private void checkLetters(JsonObject settings) {
    if (!amnesia) {
      checkPages(settings, LETTERS);
    }
    long read = number(settings, "maxReadPageBytes", 2 * pageBytes(settings));
    checkReadAhead(read, "max-read-page-bytes");
    checkReadAhead(number(settings, "prefetchPageBytes", read), "prefetch-page-bytes");
  }

  private void checkReadAhead(long bytes, String name) {
    if (bytes >= 0 && bytes < LetterSegments.READ_AHEAD_BYTES) {
      found.add(
          "The broker would hide dead letters behind others while it pages: set "
              + name
              + " for mailbox.dlq.# to at least "
              + LetterSegments.READ_AHEAD_BYTES
              + ".");
    }
  }

  /** For each paging address, the broker keeps the page that it writes in memory. */
  private void checkPages(JsonObject settings, String addresses) {
    if (pageBytes(settings) > MOST_PAGE_BYTES) {
      found.add(
          "The broker would run out of memory when many addresses page: set page-size-bytes for "
              + addresses
              + " to at most "
              + MOST_PAGE_BYTES
              + ".");
    }
  }

  /** The broker reads this much of each queue's pages, whether anybody consumes it or not. */
  private void checkPrefetch(JsonObject settings) {
    long read = number(settings, "maxReadPageBytes", 2 * pageBytes(settings));
    long prefetch = number(settings, "prefetchPageBytes", read);
    if (prefetch <= 0 || prefetch > MOST_PAGE_BYTES) {
      found.add(
          "The broker would run out of memory when many queues page: set prefetch-page-bytes for"
              + " mailbox.# to at most "
              + MOST_PAGE_BYTES
              + ".");
    }
    if (read > 0) {
      found.add(
          "The broker would stop handing out a backlog while that many bytes are leased: set"
              + " max-read-page-bytes for mailbox.# to -1.");
    }
  }

  private static long pageBytes(JsonObject settings) {
    return number(settings, "pageSizeBytes", AddressSettings.DEFAULT_PAGE_SIZE);
  }

  private void checkUndeliverable() {
    if (!admin.queues().exists(QueueNames.UNDELIVERABLE)) {
      found.add(
          "The queue "
              + QueueNames.UNDELIVERABLE
              + " does not exist, so what the broker gives up on would be lost: create it as a"
              + " durable anycast queue.");
    }
  }

  private static String text(JsonObject settings, String key, String otherwise) {
    return settings.getString(key, otherwise);
  }

  private static long number(JsonObject settings, String key, long otherwise) {
    return settings.containsKey(key) ? settings.getJsonNumber(key).longValue() : otherwise;
  }
}

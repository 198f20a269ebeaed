package org.svcmailbox.it.drill;

import java.util.Random;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.it.client.Fields;

/**
 * A message as its sender knows it, which can be sent again as it is.
 *
 * @param hash of the payload, in the envelope's notation
 */
record Letter(String topic, String key, String hash, Fields fields) {
  private static final int BYTES = 1024;
  private static final int MOST_DELAY_MILLIS = 400;

  private static final String DELAYED = ".delayed";

  /** A new one; one in ten is delayed. */
  static Letter random(LoadTopic topic, String key, Random random) {
    byte[] payload = new byte[BYTES];
    random.nextBytes(payload);
    boolean isDelayed = random.nextInt(10) == 0;
    String name = isDelayed ? key + DELAYED : key;
    Fields fields = Fields.send(topic.name(), name, payload);
    if (isDelayed) {
      fields = fields.with("delay_ms", random.nextInt(MOST_DELAY_MILLIS));
    }
    return new Letter(topic.name(), name, Blake3.of(payload).toString(), fields);
  }

  /** Whether the letter with this key was sent with a delay. */
  static boolean isDelayed(String key) {
    return key.endsWith(DELAYED);
  }
}

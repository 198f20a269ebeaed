package org.svcmailbox.ejb.codec;

import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.json.JsonArray;
import org.apache.activemq.artemis.json.JsonNumber;
import org.apache.activemq.artemis.json.JsonObject;
import org.apache.activemq.artemis.json.JsonString;
import org.apache.activemq.artemis.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** A message without its body, as listed by the broker's management. */
public final class ListedMessage {
  private static final Set<SimpleString> LONGS =
      Set.of(MessageCodec.SEQ, MessageCodec.TTL, Message.HDR_SCHEDULED_DELIVERY_TIME);

  private ListedMessage() {}

  /** A message with the identifying properties and the due time. */
  public static CoreMessage of(JsonObject listed) {
    CoreMessage message = new CoreMessage(listed.getJsonNumber("messageID").longValue(), 0);
    HeaderSeal.SEALED.forEach(name -> put(message, name, listed.get(name.toString())));
    put(message, MessageCodec.CHECK, listed.get(MessageCodec.CHECK.toString()));
    put(
        message,
        Message.HDR_SCHEDULED_DELIVERY_TIME,
        listed.get(Message.HDR_SCHEDULED_DELIVERY_TIME.toString()));
    return message;
  }

  private static void put(CoreMessage message, SimpleString name, @Nullable JsonValue value) {
    if (value instanceof JsonArray bytes) {
      message.putBytesProperty(name, bytes(bytes));
    } else if (value instanceof JsonString text) {
      message.putStringProperty(name, SimpleString.of(text.getString()));
    } else if (value instanceof JsonNumber number && LONGS.contains(name)) {
      message.putLongProperty(name, number.longValue());
    } else if (value instanceof JsonNumber number) {
      message.putIntProperty(name, number.intValue());
    }
  }

  private static byte[] bytes(JsonArray listed) {
    byte[] bytes = new byte[listed.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) listed.getInt(i);
    }
    return bytes;
  }
}

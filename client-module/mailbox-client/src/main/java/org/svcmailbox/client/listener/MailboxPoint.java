package org.svcmailbox.client.listener;

import java.lang.reflect.Type;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.codec.Codecs;

/**
 * A mailbox that the application needs.
 *
 * @param body the type of its bodies
 * @param reply the type of the replies
 */
public record MailboxPoint(String name, Type body, Type reply) {
  /** Of the mailbox. */
  public Type type() {
    return GenericType.of(Mailbox.class, body, reply);
  }

  /** Bytes travel unchanged, and all other types as JSON. */
  static Codec<Object> codec(Type type) {
    // The type that the codec is for is known at run time only.
    @SuppressWarnings("unchecked")
    Codec<Object> codec =
        type == byte[].class ? (Codec<Object>) (Codec<?>) Codecs.bytes() : Codecs.json(type);
    return codec;
  }
}

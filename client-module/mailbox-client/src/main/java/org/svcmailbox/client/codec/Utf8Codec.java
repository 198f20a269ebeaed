package org.svcmailbox.client.codec;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.SerializationException;

/** Text in UTF-8, strictly. */
enum Utf8Codec implements Codec<String> {
  INSTANCE;

  @Override
  public byte[] encode(String body) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(body));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new SerializationException("the text is not well-formed Unicode", e);
    }
  }

  @Override
  public String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new SerializationException("the body is not UTF-8", e);
    }
  }
}

package org.svcmailbox.client.codec;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.SerializationException;

/** A codec of two functions. */
record FunctionCodec<T>(Codecs.Encoder<T> encoder, Codecs.Decoder<T> decoder) implements Codec<T> {
  @Override
  public byte[] encode(T body) {
    return call(() -> encoder.encode(body), "the body cannot be encoded");
  }

  @Override
  public T decode(byte[] bytes) {
    return call(() -> decoder.decode(bytes), "the body cannot be decoded");
  }

  private interface Call<V> {
    @Nullable V result() throws Exception;
  }

  private static <V> V call(Call<V> call, String problem) {
    @Nullable V result;
    try {
      result = call.result();
    } catch (SerializationException e) {
      throw e;
    } catch (Exception e) {
      throw new SerializationException(problem, e);
    }
    if (result == null) {
      throw new SerializationException(problem + ": the result is null");
    }
    return result;
  }
}

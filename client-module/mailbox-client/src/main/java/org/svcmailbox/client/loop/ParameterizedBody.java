package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A generic record with its one type argument. */
record ParameterizedBody(Class<?> rawType, Type argument) implements ParameterizedType {
  ParameterizedBody {
    requireNonNull(argument, "type");
  }

  @Override
  public Type[] getActualTypeArguments() {
    return new Type[] {argument};
  }

  @Override
  public Type getRawType() {
    return rawType;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return null;
  }
}

package org.svcmailbox.client.listener;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A top-level generic class with its type arguments; equal to the JDK's object for the same type.
 */
public final class GenericType implements ParameterizedType {
  private final Class<?> raw;
  private final List<Type> arguments;

  private GenericType(Class<?> raw, List<Type> arguments) {
    this.raw = raw;
    this.arguments = arguments;
  }

  /** The generic class with these arguments. */
  public static GenericType of(Class<?> raw, Type... arguments) {
    return new GenericType(raw, List.of(arguments));
  }

  /** The type arguments of {@code type} if it is a parameterized {@code raw}; otherwise none. */
  public static List<Type> arguments(Type type, Class<?> raw) {
    return type instanceof ParameterizedType generic && generic.getRawType().equals(raw)
        ? List.of(generic.getActualTypeArguments())
        : List.of();
  }

  /** The class of a type without its arguments; {@code Object} for a variable or an array. */
  public static Class<?> raw(Type type) {
    return type instanceof ParameterizedType generic
        ? raw(generic.getRawType())
        : type instanceof Class<?> plain ? plain : Object.class;
  }

  /** Whether the type has no type variable and no wildcard at any depth. */
  public static boolean isComplete(Type type) {
    if (type instanceof ParameterizedType generic) {
      return Arrays.stream(generic.getActualTypeArguments()).allMatch(GenericType::isComplete);
    }
    return type instanceof GenericArrayType array
        ? isComplete(array.getGenericComponentType())
        : type instanceof Class<?>;
  }

  @Override
  public Type[] getActualTypeArguments() {
    return arguments.toArray(Type[]::new);
  }

  @Override
  public Type getRawType() {
    return raw;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ParameterizedType that
        && that.getOwnerType() == null
        && that.getRawType().equals(raw)
        && Arrays.equals(that.getActualTypeArguments(), getActualTypeArguments());
  }

  /** Computed as the JDK does, because sets contain both implementations. */
  @Override
  public int hashCode() {
    return Arrays.hashCode(getActualTypeArguments()) ^ raw.hashCode();
  }

  @Override
  public String toString() {
    return arguments.stream()
        .map(Type::getTypeName)
        .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
  }
}

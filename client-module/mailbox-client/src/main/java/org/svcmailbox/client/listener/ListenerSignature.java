package org.svcmailbox.client.listener;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.loop.MainLoopResult;

/**
 * The parameter of a listener's method, and the body and reply types of its mailbox.
 *
 * @param body the type of the mailbox's bodies
 * @param reply the type of the replies; {@code Object} if the method returns none
 * @param replies whether the method returns a reply
 */
public record ListenerSignature(Takes takes, Type body, Type reply, boolean replies) {
  /** The three kinds of parameter. */
  public enum Takes {
    /** {@code T}. */
    BODY,
    /** {@code Message<T, R>}. */
    MESSAGE,
    /** {@code MainLoopRequest<T>}. */
    REQUEST
  }

  /** The reasons why a method cannot be a listener; empty if it can. */
  public static List<String> problems(Method method) {
    List<String> problems = new ArrayList<>();
    if (Modifier.isStatic(method.getModifiers())) {
      problems.add("must not be static");
    }
    if (Modifier.isPrivate(method.getModifiers())) {
      problems.add("must not be private");
    }
    parameterProblems(method, problems);
    returnProblems(method, problems);
    return problems;
  }

  private static void parameterProblems(Method method, List<String> problems) {
    if (method.getParameterCount() != 1) {
      problems.add(
          "must take one parameter (T, Message<T, R> or MainLoopRequest<T>), not "
              + method.getParameterCount());
      return;
    }
    Type parameter = method.getGenericParameterTypes()[0];
    Class<?> raw = GenericType.raw(parameter);
    if ((raw == Message.class || raw == MainLoopRequest.class) && parameter == raw) {
      problems.add("takes a raw " + raw.getSimpleName() + ", which must name its types");
    } else if (!GenericType.isComplete(parameter)) {
      problems.add(
          "takes "
              + parameter.getTypeName()
              + ", which must name its types: no wildcards and no type variables");
    }
  }

  private static void returnProblems(Method method, List<String> problems) {
    Type returned = boxed(method.getGenericReturnType());
    Class<?> raw = GenericType.raw(returned);
    if (CompletionStage.class.isAssignableFrom(raw) || Future.class.isAssignableFrom(raw)) {
      problems.add("returns a " + raw.getSimpleName() + "; it must return the reply itself");
    } else if (!GenericType.isComplete(returned)) {
      problems.add(
          "returns "
              + returned.getTypeName()
              + ", which must name its types: no wildcards and no type variables");
    } else if (method.getParameterCount() == 1 && returned != Void.class) {
      List<Type> message =
          GenericType.arguments(method.getGenericParameterTypes()[0], Message.class);
      if (!message.isEmpty() && !message.get(1).equals(returned)) {
        problems.add(
            "returns "
                + returned.getTypeName()
                + ", but replies to its messages are "
                + message.get(1).getTypeName());
      }
    }
  }

  /** The signature of a method without {@link #problems}. */
  public static ListenerSignature of(Method method) {
    Type parameter = boxed(method.getGenericParameterTypes()[0]);
    Type returned = boxed(method.getGenericReturnType());
    boolean replies = returned != Void.class;
    Type reply = replies ? returned : Object.class;
    Class<?> raw = GenericType.raw(parameter);
    if (raw == Message.class) {
      List<Type> types = GenericType.arguments(parameter, Message.class);
      return new ListenerSignature(Takes.MESSAGE, types.get(0), types.get(1), replies);
    }
    if (raw == MainLoopRequest.class) {
      return new ListenerSignature(
          Takes.REQUEST, parameter, GenericType.of(MainLoopResult.class, reply), true);
    }
    return new ListenerSignature(Takes.BODY, parameter, reply, replies);
  }

  /** A call of a listener's method. */
  @FunctionalInterface
  public interface Call {
    /**
     * Makes one call, and returns the reply.
     *
     * @throws Exception what the method throws
     */
    @Nullable Object with(Object argument) throws Exception;
  }

  /**
   * Builds a loop that makes the call for each message of the mailbox, which must have these types.
   */
  public MainLoop.Builder<?, ?> loop(Mailbox<?, ?> mailbox, Call call) {
    return switch (takes) {
      case BODY ->
          MainLoop.handling(
              ListenerSignature.<Object, Object>typed(mailbox),
              message -> call.with(message.body()));
      case MESSAGE ->
          MainLoop.handling(ListenerSignature.<Object, Object>typed(mailbox), call::with);
      case REQUEST ->
          MainLoop.serving(
              ListenerSignature.<MainLoopRequest<Object>, MainLoopResult<Object>>typed(mailbox),
              call::with);
    };
  }

  @SuppressWarnings("unchecked") // The container compared the types when it found the mailbox.
  private static <T, R> Mailbox<T, R> typed(Mailbox<?, ?> mailbox) {
    return (Mailbox<T, R>) mailbox;
  }

  /**
   * Calls a listener's method on its bean.
   *
   * @throws Exception what the method throws
   */
  public static @Nullable Object invoke(Method method, Object bean, Object argument)
      throws Exception {
    try {
      return method.invoke(bean, argument);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static Type boxed(Type type) {
    return type instanceof Class<?> plain ? MethodType.methodType(plain).wrap().returnType() : type;
  }
}

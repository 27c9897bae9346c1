package every;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotations with every kind of element. */
interface Marks {}

@Retention(RetentionPolicy.RUNTIME)
@interface Seen {
    byte b() default 1;
    char c() default 'c';
    double d() default 1.5;
    float f() default 2.5f;
    long j() default 3L;
    short s() default 4;
    boolean z() default true;
    int number();
    String text() default "";
    int[] list() default {};
    RetentionPolicy kind() default RetentionPolicy.RUNTIME;
    Class<?> type() default void.class;
    Inside inside() default @Inside("z");
}

@interface Inside { String value(); }

@interface Unseen {}

@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
@interface Use { int value() default 0; }

@Target(ElementType.TYPE_USE)
@interface QuietUse {}

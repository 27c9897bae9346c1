package every.inner;

public interface Part {}

"""What may go wrong with models, the graphics card and the inference process."""

from models.base.errors import ResourceError, WardlightError


class ModelFileError(WardlightError):
    """A model is missing, incomplete, or differs from its manifest."""

    code = "model"


class GpuError(ResourceError):
    """The graphics card failed during a job, or was taken away. The job can be run again on the processor."""

    code = "gpu"


class WorkerDied(WardlightError):
    """The inference process ended during a job. The job can be run again."""

    code = "worker"
